/**
 * The private groups of a board, commit by commit: who is in which, what they show (group-seats.ts), and how they end
 * (group-ends.ts). Only a call that was asked for changes who is a member; it knows the rules of docs/groups.md, and what is
 * stored.
 */
import { isDeepStrictEqual } from "node:util";
import type { Seat } from "../../functions/src/documents/group.ts";
import {
  groupCodePath,
  groupCodesPath,
  privateGroupPath,
  privateGroupsPath,
} from "../../functions/src/documents/paths.ts";
import {
  memberHash,
  type PrivateGroup,
  storedPrivateGroup,
} from "../../functions/src/documents/private-group.ts";
import { privateGroupsPerPlayerMax } from "../../functions/src/model/limits.ts";
import { leaderboard, playersChanged } from "../board.ts";
import type { Machine } from "../machine.ts";
import { type Change, parentOf } from "../memory/store.ts";
import { checkEnded } from "./group-ends.ts";
import { endOf, isCup, type LastInTime, type PrivateChange } from "./group-known.ts";
import { GroupPromises } from "./group-promises.ts";
import { type Scored, scoredIn } from "./group-places.ts";
import { checkSeason } from "./group-seasons.ts";
import { checkSeat } from "./group-seats.ts";
import type { Life } from "./life.ts";
import { WorldCheck } from "./setting.ts";
import type { Statuses } from "./statuses.ts";
import { insist } from "./violation.ts";
import type { Work } from "./work.ts";

/** A code as it is stored. */
export const codeStored = (shown: string) => shown.replaceAll("-", "");

export class PrivateGroups extends WorldCheck<
  { life: Life; statuses: Statuses } & Pick<Machine, "refreshes">
> {
  readonly promises = new GroupPromises(this);
  private readonly players = new Map<string, string>();
  /** What documents ever said of scores, by season and player: an event may come a day late. */
  private readonly said = new Map<string, Set<string>>();
  /** What players had last by the end of a group, by group, season and player. */
  private readonly last = new Map<string, LastInTime>();
  /** When something of a player may not have come into the player's groups: of everybody by "". */
  private readonly missedMs = new Map<string, number>();

  get store() {
    return this.world.database.store;
  }

  /** The groups that are there, by id. */
  all(): Map<string, PrivateGroup> {
    const found = this.store.list(privateGroupsPath(leaderboard));
    return new Map(found.map(({ id, data }) => [id, data as PrivateGroup]));
  }

  /** The player of a seat; undefined for one who was erased. */
  playerOf({ of }: Pick<Seat, "of">): string | undefined {
    if (this.players.size === 0)
      for (let i = 0; i < this.world.plan.players; i++)
        this.players.set(memberHash(leaderboard, `p${i}`), `p${i}`);
    return this.players.get(of);
  }

  /** The members of a group, shown or not. */
  members(group: Pick<PrivateGroup, "seats"> | undefined): string[] {
    return Object.values(group?.seats ?? {}).flatMap((seat) => this.playerOf(seat) ?? []);
  }

  groupOf = (id: string) =>
    this.store.get(privateGroupPath(leaderboard, id))?.data as PrivateGroup | undefined;
  membersOf = (id: string) => this.members(this.groupOf(id));
  ownerOf = (id: string) => this.playerOf({ of: this.groupOf(id)?.owner ?? "" });

  /** The groups in which a player is, also those that have ended. */
  groupsOf(player: string): { id: string; group: PrivateGroup }[] {
    const all = [...this.all()].map(([id, group]) => ({ id, group }));
    return all.filter(({ group }) => this.members(group).includes(player));
  }

  /** All codes that lead into groups, as they are stored. */
  codes = () => this.store.list(groupCodesPath(leaderboard)).map(({ id }) => id);

  /** Whether a document of a player has ever said this of a score; a bare score has the time of its write. */
  wasSaid(season: string, player: string, { score, ...times }: Scored): boolean {
    const said = this.said.get(`${season} ${player}`);
    return (
      score === undefined ||
      said?.has(text({ score, ...times })) === true ||
      said?.has(text({ score })) === true
    );
  }

  /** Something of a player, or of everybody, may not have come into groups. */
  missed(player = ""): void {
    this.missedMs.set(player, this.world.now());
  }

  /** Whether all of a player's changes since a time have come into groups, or will. */
  mayHaveMissed(player: string, sinceMs: number): boolean {
    return ["", player].some((one) => (this.missedMs.get(one) ?? -Infinity) >= sinceMs);
  }

  private keepLast(season: string, player: string, scored: Scored): void {
    const { achieved_at: at } = scored;
    for (const [id, group] of at === undefined ? [] : this.all()) {
      const ends = endOf(group);
      if (ends !== undefined && at !== undefined && at <= ends)
        this.last.set(`${id} ${season} ${player}`, { scored, atMs: this.world.now() });
    }
  }

  /** What a player had last by the end of a group, if that is known. */
  lastBy = (id: string, season: string, player: string) => this.last.get(`${id} ${season} ${player}`);

  /** @throws a violation */
  observe(changes: readonly Change[], work: Work): void {
    for (const { season, player, change } of playersChanged(changes)) {
      const name = `${season} ${player}`;
      this.keepLast(season, player, scoredIn(change.after));
      this.said.set(name, (this.said.get(name) ?? new Set()).add(text(scoredIn(change.after))));
      if (work.kind !== "lanes" && work.kind !== "other") this.missed(player);
    }
    const touched = new Set<string>();
    for (const { path, before, after } of changes) {
      if (parentOf(path) === groupCodesPath(leaderboard)) touched.add(String((after ?? before)?.["group"]));
      if (parentOf(path) !== privateGroupsPath(leaderboard)) continue;
      const id = path.slice(parentOf(path).length + 1);
      touched.add(id);
      const [was, is] = [before, after].map((data) => data && storedPrivateGroup.parse(data));
      this.checkMembers(id, was, is, work);
      if (is !== undefined) this.checkGroup({ id, before: was, after: is }, work);
      if (work.kind === "group" && is !== undefined)
        this.checkCall({ id, before: was, after: is }, changes, work);
    }
    for (const id of touched) this.checkCodes(id);
  }

  /** A group has one code, and none leads to a group that is gone. */
  private checkCodes(id: string): void {
    const codes = this.store
      .list(groupCodesPath(leaderboard))
      .filter(({ data }) => data["group"] === id)
      .map((code) => code.id);
    const isThere = this.groupOf(id) !== undefined;
    insist(
      codes.length === (isThere ? 1 : 0),
      () => `groups: ${id} ${isThere ? "is there" : "is gone"}, and has the codes ${codes.join()}`,
    );
  }

  /** Members come and go as they have asked for, or as an erasure or a merge of theirs says. */
  private checkMembers(
    id: string,
    before: PrivateGroup | undefined,
    after: PrivateGroup | undefined,
    work: Work,
  ) {
    const [was, is] = [this.members(before), this.members(after)];
    const possible = membersAfter(id, was, work);
    if (before !== undefined && after !== undefined) possible.push(was);
    insist(
      possible.some((members) => isDeepStrictEqual(members.toSorted(), is.toSorted())),
      () => `groups: ${id} has ${is.join()}, and had ${was.join()}, by ${text(work)}`,
    );
    if (work.kind !== "group" || !["remove", "rename", "delete"].includes(work.what)) return;
    insist(
      work.isModerator || this.playerOf({ of: before?.owner ?? "" }) === work.caller,
      () => `groups: ${id} was changed by ${work.caller}, and ${before?.owner} owns it: ${text(work)}`,
    );
  }

  private checkGroup(change: PrivateChange, work: Work): void {
    const { id, before, after } = change;
    const told = () => `groups: ${id} was ${text(before)} and is ${text(after)}`;
    const all = Object.values(after.seats);
    const owners = all.flatMap(({ of }) => (of === "" ? [] : [of]));
    const shown = all.flatMap(({ player }) => player ?? []);
    insist(
      owners.length <= after.size && owners.length > 0 && new Set(owners).size === owners.length,
      () => `${told()}: ${owners.length} members, and its size is ${after.size}`,
    );
    insist(
      isDeepStrictEqual(after.readers.toSorted(), shown.toSorted()) &&
        isDeepStrictEqual(after.owners.toSorted(), owners.toSorted()) &&
        after.owners.includes(after.owner),
      told,
    );
    insist((after.unsettled === true) !== (after.settled_at !== undefined), told);
    this.checkOwner(change, work);
    checkSeason(this, this.world, change);
    if (before !== undefined) this.checkKept({ ...change, before }, work);
    for (const [name, seat] of Object.entries(after.seats))
      checkSeat(this, this.world, change, { name, seat, work });
    if (after.settled_at !== undefined && before?.settled_at === undefined)
      checkEnded(this, this.world, change);
  }

  /** The owner stays; after that whoever was merged, or who came first. */
  private checkOwner({ id, before, after }: PrivateChange, work: Work): void {
    if (before === undefined || before.owner === after.owner) return;
    const first = Object.entries(after.seats)
      .filter(([, { of }]) => of !== "")
      .toSorted(([a], [b]) => Number(a.slice(1)) - Number(b.slice(1)));
    const [heir = first[0]] = first.filter(([, { player }]) => player !== undefined);
    const to = work.kind === "merge" ? memberHash(leaderboard, work.asked.to) : "";
    const next = after.owners.includes(to) ? to : heir?.[1].of;
    insist(
      !after.owners.includes(before.owner) && after.owner === next,
      () => `groups: ${id} was owned by ${before.owner}, and is by ${after.owner}: ${text(after.seats)}`,
    );
  }

  /** What a group keeps of before. */
  private checkKept({ id, before, after }: PrivateChange & { before: PrivateGroup }, work: Work): void {
    const told = () => `groups: ${id} was ${text(before)} and is ${text(after)}`;
    const isRenamed = work.kind === "group" && work.what === "rename" && work.group === id;
    insist(before.size === after.size && (isRenamed || before.name === after.name), told);
    insist(isCup(after.season) || isDeepStrictEqual(before.ends_at, after.ends_at), told);
    if (before.settled_at !== undefined)
      insist(
        before.season === after.season && after.settled_at?.isEqual(before.settled_at) === true,
        () => `${told()}, and it had ended`,
      );
    const [is, was] = [Object.keys(after.seats), Object.keys(before.seats)];
    const given = is.filter((name) => !was.includes(name));
    const isJoined = work.kind === "group" && work.what === "join" && given.length === 1;
    insist(
      (given.length === 0 || isJoined) &&
        after.seated === before.seated + given.length &&
        given.every((name) => name === `s${after.seated}`),
      told,
    );
    for (const name of is) {
      const [old, next] = [before.seats[name]?.of, after.seats[name]?.of];
      const isPassed =
        work.kind === "merge" &&
        old === memberHash(leaderboard, work.asked.from) &&
        next === memberHash(leaderboard, work.asked.to);
      const isLeft = next === "" && after.settled_at !== undefined;
      insist(old === undefined || old === next || isPassed || isLeft, told);
    }
    if (before.settled_at !== undefined)
      insist(
        was.every((name) => is.includes(name)),
        told,
      );
  }

  /** A new member comes with the present code, into a group that takes members, and is in no more than may be. */
  private checkCall(
    { id, before, after }: PrivateChange,
    changes: readonly Change[],
    work: Work & { kind: "group" },
  ): void {
    const { what, player, code } = work;
    if (what === "remove") {
      const isTaken = this.members(before).includes(player);
      const isNew = changes.some((change) => {
        return parentOf(change.path) === groupCodesPath(leaderboard) && change.after?.["group"] === id;
      });
      insist(!isTaken || isNew, () => `groups: ${player} was taken out of ${id}, and knows its code`);
    }
    if (what !== "join" && what !== "create") return;
    const open = this.groupsOf(player).filter(({ group }) => group.settled_at === undefined);
    insist(
      open.length <= privateGroupsPerPlayerMax,
      () => `groups: ${player} is in ${open.map((one) => one.id).join()}`,
    );
    if (what === "create") return;
    const leads = this.store.get(groupCodePath(leaderboard, code ?? ""))?.data["group"];
    insist(
      leads === id,
      () => `groups: ${player} has joined ${id} with ${code}, which leads to ${String(leads)}`,
    );
    insist(after.settled_at === undefined, () => `groups: ${player} has joined ${id}, which has ended`);
  }
}

/** Who may be in a group after a commit that changes that, by whoever made it. */
function membersAfter(id: string, was: readonly string[], work: Work): string[][] {
  const without = (player: string) => was.filter((member) => member !== player);
  if (work.kind === "merge") {
    const { from, to } = work.asked;
    return was.includes(from) ? [without(from), [...new Set([...without(from), to])]] : [];
  }
  if (work.kind === "status") return work.asked.status === "removed" ? [without(work.asked.player)] : [];
  if (work.kind !== "group") return [];
  const { what, player, group } = work;
  if (what === "create") return was.length === 0 ? [[player]] : [];
  if (what === "join") return [[...new Set([...was, player])]];
  if (group !== id || what === "rename") return [];
  return what === "delete" ? [[]] : [without(player)];
}

const text = (value: unknown) => JSON.stringify(value);
