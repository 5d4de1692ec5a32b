/** What players do with private groups: they make them, join, look, leave, take others out; and whoever looks for their ends. */
import { createGroupSpec } from "../../functions/src/operations/create-group.ts";
import { getGroupSpec } from "../../functions/src/operations/get-group.ts";
import { getMyGroupsSpec } from "../../functions/src/operations/get-my-groups.ts";
import { joinGroupSpec } from "../../functions/src/operations/join-group.ts";
import { leaveGroupSpec, removeMemberSpec } from "../../functions/src/operations/leave-group.ts";
import { deleteGroupSpec, renameGroupSpec } from "../../functions/src/operations/manage-group.ts";
import { enqueueGroupEnds } from "../../functions/src/groups/end.ts";
import { FirerankError } from "../../functions/src/model/errors.ts";
import type { Caller } from "../../functions/src/operations/shared/access.ts";
import type { Services } from "../../functions/src/world/services.ts";
import { oneOf, someCup, someOf, somePlayer, someSeason } from "../actors.ts";
import { leaderboard } from "../board.ts";
import { checkGroup, checkMyGroups } from "../checks/group-answers.ts";
import { codeStored } from "../checks/groups.ts";
import { tickOf } from "../checks/setting.ts";
import type { GroupAsked } from "../checks/work.ts";
import type { World } from "../world.ts";

const secondsMax = 60;

/** Few names, so that a player asks again for a group of the same name. */
const names = ["Red", "Blue", "Green", "Gold"];

/** What may be refused, besides what the checks hold against what is stored. */
const clear = [
  "group_not_found",
  "group_full",
  "group_ended",
  "invalid_request",
  "not_allowed",
  "player_banned",
  "player_erased",
  "too_frequent",
  "season_not_found",
  "season_closed",
] as const;

/** What players do, by how often. */
const ways: readonly (readonly [number, (world: World) => void])[] = [
  [2, create],
  [9, join],
  [2, leave],
  [2, remove],
  [1, rename],
  [0.4, deleteOne],
  [
    8,
    (world) => {
      look(world, someMember(world), somePast(world), world.random() < 0.1);
    },
  ],
  [2, mine],
  [1.5, lookForEnds],
];

/** Somebody does something with a group. */
export function playInGroups(world: World): void {
  if (world.privateGroups.all().size === 0 && world.random() < 0.7) {
    create(world);
    return;
  }
  let left = world.random() * ways.reduce((sum, [weight]) => sum + weight, 0);
  const [, begin] = ways.find(([weight]) => (left -= weight) < 0) ?? [0, create];
  begin(world);
}

/** Some group, also one that is gone. */
const someGroup = (world: World) => {
  const ids = [...world.privateGroups.all().keys()];
  return (world.random() < 0.97 ? someOf(world, ids) : undefined) ?? "gone";
};

/** A group and mostly one of its members. */
function someMember(world: World): { group: string; player: string } {
  const group = someGroup(world);
  const members = world.privateGroups.membersOf(group);
  const player = (world.random() < 0.9 ? someOf(world, members) : undefined) ?? somePlayer(world);
  return { group, player };
}

/** Mostly the season that a group shows, now and then another one. */
const somePast = (world: World) => (world.random() < 0.8 ? undefined : someSeason(world)?.id);

interface GroupCall<Answer> {
  asked: GroupAsked;
  handle: (services: Services, caller: Caller) => Promise<Answer>;
  /** What the answer promises. */
  done: (answer: Answer, began: number) => void;
}

/** Begins a call that changes groups: what it answers, and why it refuses, has to be true. */
function call<Answer>(world: World, { asked, handle, done }: GroupCall<Answer>): void {
  const began = tickOf(world);
  const { what, caller, player, group, isModerator } = asked;
  let answer: Answer | undefined;
  const whom = player === caller ? "" : ` ${player}`;
  world.invoke({
    name: `${what} group ${group ?? ""}${whom} by ${isModerator ? "a moderator" : caller}`,
    work: asked,
    secondsMax,
    async handle(services) {
      const by: Caller = isModerator ? { uid: "mod", role: "moderator" } : { uid: caller };
      answer = await handle(services, by);
    },
    clear,
    end(ending) {
      if (ending.how === "done" && answer !== undefined) done(answer, began);
      if (ending.how === "failed" && ending.error instanceof FirerankError)
        world.privateGroups.promises.refused(asked, ending.error.code, began);
    },
  });
}

function create(world: World): void {
  const player = somePlayer(world);
  const choice = world.random();
  const { spans } = world.plan.definition;
  const lengthMs = 60_000 + world.random() * oneOf(world, [120_000, 3_600_000, 3 * 86_400_000]);
  const request = createGroupSpec.request.parse({
    leaderboard,
    name: oneOf(world, names),
    size: oneOf(world, [2, 3, 5, 5, 100]),
    ...(choice < 0.25 && spans.length > 0 ? { span: oneOf(world, spans) } : {}),
    ...(choice > 0.75 && world.plan.ends ? { season: someCup(world) } : {}),
    ...(choice > 0.2 && choice < 0.65 ? { ends_at: new Date(world.now() + lengthMs).toISOString() } : {}),
    ...named(world),
  });
  const asked: GroupAsked = {
    kind: "group",
    what: "create",
    caller: player,
    player,
    isModerator: false,
    ...told(request),
  };
  call(world, {
    asked,
    handle: (services, caller) => createGroupSpec.handle(services, request, caller),
    done: ({ group, code }, began) => {
      world.privateGroups.promises.joined(asked, group, began);
      world.privateGroups.promises.led(group, code, began);
    },
  });
}

/** Some tell how they are called. */
const named = (world: World) =>
  world.random() < 0.3 ? { display_name: oneOf(world, ["Ann", "Ben", "Cleo"]) } : {};
const told = ({ display_name: name }: { display_name?: string | undefined }) =>
  name === undefined ? {} : { displayName: name };

/** Mostly with the code of a group; or with one that was told before. */
function join(world: World): void {
  const player = somePlayer(world);
  const present = someOf(world, world.privateGroups.codes());
  const old = someOf(world, world.privateGroups.promises.codesTold);
  const code = (world.random() < 0.75 ? present : old) ?? "0000-0000-00000";
  const request = joinGroupSpec.request.parse({ leaderboard, code, ...named(world) });
  const asked: GroupAsked = {
    kind: "group",
    what: "join",
    caller: player,
    player,
    isModerator: false,
    code: codeStored(code),
    ...told(request),
  };
  call(world, {
    asked,
    handle: (services, caller) => joinGroupSpec.handle(services, request, caller),
    done: ({ group }, began) => {
      world.privateGroups.promises.joined(asked, group, began);
    },
  });
}

function leave(world: World): void {
  const { group, player } = someMember(world);
  const asked: GroupAsked = {
    kind: "group",
    what: "leave",
    caller: player,
    player,
    isModerator: false,
    group,
  };
  call(world, {
    asked,
    handle: (services, caller) => leaveGroupSpec.handle(services, { leaderboard, group }, caller),
    done: (_, began) => {
      world.privateGroups.promises.left(player, group, began);
    },
  });
}

/** Mostly the owner of a group, now and then a moderator, or another member. */
function someChanger(world: World, group: string): { caller: string; isModerator: boolean } {
  const owner = world.privateGroups.ownerOf(group);
  const choice = world.random();
  if (choice < 0.7 && owner !== undefined) return { caller: owner, isModerator: false };
  return {
    caller: choice < 0.85 ? "mod" : somePlayer(world),
    isModerator: choice < 0.85,
  };
}

function remove(world: World): void {
  const { group, player } = someMember(world);
  const asked: GroupAsked = { kind: "group", what: "remove", player, group, ...someChanger(world, group) };
  call(world, {
    asked,
    handle: (services, caller) => removeMemberSpec.handle(services, { leaderboard, group, player }, caller),
    done: ({ code }, began) => {
      world.privateGroups.promises.left(player, group, began);
      world.privateGroups.promises.led(group, code, began);
    },
  });
}

function rename(world: World): void {
  const group = someGroup(world);
  const changer = someChanger(world, group);
  const name = oneOf(world, names);
  call(world, {
    asked: { kind: "group", what: "rename", player: changer.caller, group, ...changer },
    handle: (services, caller) => renameGroupSpec.handle(services, { leaderboard, group, name }, caller),
    done: () => undefined,
  });
}

function deleteOne(world: World): void {
  const group = someGroup(world);
  const changer = someChanger(world, group);
  call(world, {
    asked: { kind: "group", what: "delete", player: changer.caller, group, ...changer },
    handle: (services, caller) => deleteGroupSpec.handle(services, { leaderboard, group }, caller),
    done: (_, began) => {
      world.privateGroups.promises.deleted(group, began);
    },
  });
}

/** A member looks at a group, or at what it was in another season; now and then a moderator does. */
export function look(
  world: World,
  { group, player }: { group: string; player: string },
  season: string | undefined,
  isModerator = false,
): void {
  const withCode = world.random() < 0.2;
  const caller = isModerator ? { uid: "mod", role: "moderator" as const } : { uid: player };
  const request = {
    leaderboard,
    group,
    ...(season === undefined ? {} : { season }),
    ...(withCode && { with_code: true }),
  };
  const began = tickOf(world);
  world.invoke({
    name: `look at group ${group} by ${caller.uid}${season === undefined ? "" : ` in ${season}`}`,
    secondsMax,
    async handle(services) {
      const answer = await getGroupSpec.handle(services, getGroupSpec.request.parse(request), caller);
      checkGroup(world, { player: caller.uid, isModerator, season }, answer, began);
      if (answer.code !== undefined) world.privateGroups.promises.led(group, answer.code, began);
    },
    clear,
    end({ ...ending }) {
      if (ending.how !== "failed" || !(ending.error instanceof FirerankError)) return;
      const asked = { kind: "group", what: "leave", caller: caller.uid, player, isModerator, group } as const;
      world.privateGroups.promises.refused(asked, ending.error.code, began);
    },
  });
}

/** A player asks for the own groups. */
function mine(world: World): void {
  const player = somePlayer(world);
  const began = tickOf(world);
  world.invoke({
    name: `groups of ${player}`,
    secondsMax,
    async handle(services) {
      checkMyGroups(
        world,
        player,
        await getMyGroupsSpec.handle(services, { leaderboard }, { uid: player }),
        began,
      );
    },
    clear,
  });
}

/** What the schedule does every ten minutes. */
export function lookForEnds(world: World): void {
  world.invoke({ name: "the look for ends of groups", secondsMax, handle: enqueueGroupEnds });
}
