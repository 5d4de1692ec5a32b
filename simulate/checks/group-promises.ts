/** What calls about private groups have answered: it was true at some moment while they went on. */
import { groupCodePath, playerStatusPath, privateGroupPath } from "../../functions/src/documents/paths.ts";
import type { PrivateGroup } from "../../functions/src/documents/private-group.ts";
import type { ErrorCode } from "../../functions/src/model/errors.ts";
import { leaderboard } from "../board.ts";
import { type Data, timeOf } from "../memory/store.ts";
import type { GroupsKnown } from "./group-known.ts";
import { statusIn } from "./player.ts";
import { insist } from "./violation.ts";
import type { GroupAsked, StatusAsked } from "./work.ts";

/** How many codes the world remembers. */
const codesKept = 60;

export class GroupPromises {
  private readonly groups: GroupsKnown & { all(): Map<string, PrivateGroup> };
  /** Codes that were told, also old ones. */
  readonly codesTold: string[] = [];

  constructor(groups: GroupsKnown & { all(): Map<string, PrivateGroup> }) {
    this.groups = groups;
  }

  /** What a group was since a tick; undefined if that is too long ago. */
  versionsOf(id: string, began: number): (PrivateGroup | undefined)[] | undefined {
    const found = this.groups.store.history(privateGroupPath(leaderboard, id), timeOf(began));
    return found as (PrivateGroup | undefined)[] | undefined;
  }

  private holds(id: string, began: number, is: (group: PrivateGroup | undefined) => boolean): boolean {
    return this.versionsOf(id, began)?.some(is) ?? true;
  }

  private hasIn = (player: string) => (group: PrivateGroup | undefined) =>
    this.groups.members(group).includes(player);

  joined({ what, player }: GroupAsked, id: string, began: number): void {
    insist(
      this.holds(id, began, this.hasIn(player)),
      () => `groups: ${player} was told to be in ${id} (${what}), and is not`,
    );
  }

  left(player: string, id: string, began: number): void {
    insist(
      this.holds(id, began, (group) => !this.hasIn(player)(group)),
      () => `groups: ${player} was told to have left ${id}, and is in it`,
    );
  }

  deleted(id: string, began: number): void {
    insist(
      this.holds(id, began, (group) => group === undefined),
      () => `groups: ${id} was told to be deleted, and is there`,
    );
  }

  /** A code was told. It leads into the group. */
  led(id: string, shown: string, began: number): void {
    this.codesTold.push(shown);
    if (this.codesTold.length > codesKept) this.codesTold.shift();
    insist(
      this.led1(shown.replaceAll("-", ""), began, (group) => group === id),
      () => `groups: ${shown} was told to lead to ${id}, and does not`,
    );
  }

  private led1(code: string, began: number, is: (group: unknown) => boolean): boolean {
    const found = this.groups.store.history(groupCodePath(leaderboard, code), timeOf(began));
    return found?.some((data: Data | undefined) => is(data?.["group"])) ?? true;
  }

  /** Why a call was refused. @throws a violation unless it was so */
  refused(asked: GroupAsked, code: ErrorCode, began: number): void {
    const { what, caller, player, isModerator, group = "" } = asked;
    const told = () => `groups: ${JSON.stringify(asked)} was refused with ${code}`;
    const some = (is: (group: PrivateGroup | undefined) => boolean) => this.holds(group, began, is);
    if (code === "player_banned") {
      const who = what === "join" || what === "create" ? player : caller;
      insist(this.mayBeBanned(who, began), told);
    }
    if (code === "not_allowed")
      insist(
        some((one) => this.groups.playerOf({ of: one?.owner ?? "" }) !== caller),
        told,
      );
    if (code !== "group_not_found") return;
    if (what === "join")
      insist(
        this.led1(asked.code ?? "", began, (id) => {
          return typeof id !== "string" || this.holds(id, began, (one) => one === undefined);
        }),
        told,
      );
    else
      insist(
        some((one) => one === undefined || (!isModerator && !this.hasIn(caller)(one))),
        told,
      );
  }

  /** By the status that the board keeps, or by a document of a season. */
  private mayBeBanned(player: string, began: number): boolean {
    const { store } = this.groups;
    const paths = store
      .collections("players")
      .filter((path) => path.startsWith(`leaderboards/${leaderboard}/`))
      .map((path) => `${path}/${player}`);
    return [playerStatusPath(leaderboard, player), ...paths].some(
      (path) => store.history(path, timeOf(began))?.some((data) => statusIn(data) === "banned") ?? true,
    );
  }

  /** An admin has set a status: groups show nobody who is hidden or banned, and whoever is back. */
  made({ player, status, isAlone }: StatusAsked): void {
    if (!isAlone) return;
    for (const [id, group] of this.groups.all())
      for (const seat of Object.values(group.seats))
        insist(
          this.groups.playerOf(seat) !== player || (seat.player !== undefined) === (status === "active"),
          () => `groups: ${player} was made ${status}, and ${id} has ${JSON.stringify(seat)}`,
        );
  }

  /** Who was erased is in no group, not even by a hash. */
  erased(player: string): void {
    for (const [id, group] of this.groups.all())
      insist(!this.hasIn(player)(group), () => `groups: ${player} was erased, and has a seat in ${id}`);
  }
}
