/** Who has which role: the servers that have one, and anybody by address or uid. Roles are granted and revoked here. */
import { useState } from "preact/hooks";
import type { Role } from "../../../functions/src/model/role.ts";
import type { RoleAnswer } from "../../../functions/src/operations/set-role.ts";
import { call } from "../data/calls.ts";
import { usePromise } from "../data/hooks.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { Card } from "../parts/card.tsx";
import { AskButton, type Question, useConfirm } from "../parts/confirm.tsx";
import { SelectField, sending, TextField } from "../parts/fields.tsx";
import { tell } from "../parts/messages.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { useWork } from "../parts/work.ts";

export function Roles() {
  const isRefused = session.value !== undefined && !isAdmin.value;
  return (
    <Screen title="Roles" crumbs={[{ href: "/boards", name: "Leaderboards" }]}>
      <p class="lead">
        A submitter may submit for players, a moderator may also hide and ban them, an admin may do
        everything.
      </p>
      {isRefused ? (
        <div class="card">
          <Empty icon="shield" title="Roles are granted by admins">
            <a href="/boards">All leaderboards</a>
          </Empty>
        </div>
      ) : (
        <AllRoles />
      )}
    </Screen>
  );
}

function AllRoles() {
  const [changes, setChanges] = useState(0);
  const { ask, dialog } = useConfirm();
  const changed = () => setChanges((before) => before + 1);
  return (
    <>
      <Grant onAsk={(account, change) => ask(questionAbout(account, change, changed))} />
      <Servers changes={changes} onChanged={changed} />
      {dialog}
    </>
  );
}

interface Change {
  role: Role | "none";
  boards?: string[];
}

function questionAbout(account: RoleAnswer, change: Change, done: () => void): Question {
  const { uid, email } = account;
  const { role, boards } = change;
  const who = email ?? uid ?? "";
  const next = role === "none" ? "no role" : `the role ${scopeOf(change)}`;
  return {
    title: role === "none" ? `Revoke the role of ${who}?` : `Grant ${who} a role?`,
    text: (
      <>
        <p>
          {uid !== undefined && email !== undefined && `The uid is ${uid}. `}
          {account.verified === false && "The address is not verified, so it may be a stranger's. "}
          Now: {account.role === "none" ? "no role" : scopeOf(account)}. Then: {next}.
        </p>
        <p>
          It counts {uid === undefined ? "within a minute" : "after the next sign-in, or within an hour"}.
        </p>
      </>
    ),
    verb: role === "none" ? "Revoke" : "Grant",
    isDanger: role === "none" || role === "admin",
    work: async () => {
      const named = uid === undefined ? { email: who } : { uid };
      await call("setRole", { ...named, role, ...(boards && { boards }) });
      tell("good", `${who} has ${next}.`);
    },
    afterwards: done,
  };
}

function scopeOf({ role, boards }: Pick<RoleAnswer, "role" | "boards">): string {
  return `${role}, ${boards === undefined ? "on all boards" : `on ${boards.join(", ")}`}`;
}

const choices = ["submitter", "moderator", "admin", "none"] as const;

/** Looks the account up first, so that the question says who it is. */
function Grant({ onAsk }: { onAsk: (account: RoleAnswer, change: Change) => void }) {
  const [account, setAccount] = useState("");
  const [role, setRole] = useState<Change["role"]>("submitter");
  const [boards, setBoards] = useState("");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const { start } = useWork((error) => setProblem(error.message));
  const lookUp = async () => {
    setProblem(undefined);
    const name = account.trim();
    const list = boards.split(",").flatMap((board) => board.trim() || []);
    const asked = name.includes("@") ? { email: name } : { uid: name };
    const [found] = (await call("getRoles", asked)).roles;
    if (found?.verified === false && name.includes("@") && role !== "none")
      setProblem(
        `The address is not verified, so it may be a stranger's. If not, enter the uid ${found.uid ?? ""}.`,
      );
    else if (found !== undefined) onAsk(found, { role, ...(list.length > 0 && { boards: list }) });
  };
  return (
    <Card id="grant" title="Grant or revoke">
      <form class="form" onSubmit={sending(() => start(lookUp))}>
        <TextField
          label="E-mail address or uid"
          name="account"
          required
          value={account}
          onText={setAccount}
          hint="Of a person, or of the service account that a server runs as."
        />
        <SelectField
          label="Role"
          name="role"
          value={role}
          options={choices}
          onText={(chosen) => setRole(choices.find((one) => one === chosen) ?? "none")}
        />
        <TextField
          label="Boards"
          name="boards"
          placeholder="All"
          value={boards}
          onText={setBoards}
          hint="Ids with commas between, if the role is not for all."
        />
        <p class="problem" role="alert">
          {problem}
        </p>
        <div>
          <button class="button button-primary">Look up …</button>
        </div>
      </form>
    </Card>
  );
}

const columns: readonly Column<RoleAnswer & { onChanged: () => void }>[] = [
  ["Service account", ({ email }) => email, "", 30],
  ["Role", ({ role }) => role, "", 10],
  ["Boards", ({ boards }) => boards?.join(", ") ?? "all", "", 10],
  [
    "",
    ({ onChanged, ...server }) => (
      <AskButton question={questionAbout(server, { role: "none" }, onChanged)}>Revoke …</AskButton>
    ),
    "number",
    6,
  ],
];

/** Cost: 1 read each time it is shown, and after each change. */
function Servers({ changes, onChanged }: { changes: number; onChanged: () => void }) {
  const list = usePromise(`${changes}`, async () => (await call("getRoles", {})).roles);
  return (
    <Card id="servers" title="Servers" classes="card-flush">
      {list.state === "failed" ? (
        <Problem title="The servers cannot be shown" error={list.error} />
      ) : valueOf(list)?.length === 0 ? (
        <Empty icon="shield" title="No server has a role" />
      ) : (
        <Table columns={columns} loading={list.state === "loading" && 2}>
          {valueOf(list)?.map((server) => (
            <tr key={server.email}>
              <Cells columns={columns} row={{ ...server, onChanged }} />
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}
