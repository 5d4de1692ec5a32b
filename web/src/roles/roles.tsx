/** Who has which role: the servers that have one, and anybody by address or uid. Roles are granted and revoked here. */
import { useState } from "preact/hooks";
import type { Role } from "../../../functions/src/model/role.ts";
import type { RoleAnswer } from "../../../functions/src/operations/set-role.ts";
import { call } from "../data/calls.ts";
import { usePromise } from "../data/hooks.ts";
import { asError } from "../errors.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { Card } from "../parts/card.tsx";
import { type Question, useConfirm } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import { Head, LoadingRows, type TableColumn } from "../parts/table.tsx";

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
      <Servers
        changes={changes}
        onRevoke={(account) => ask(questionAbout(account, { role: "none" }, changed))}
      />
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
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(undefined);
    const name = account.trim();
    const list = boards.split(",").flatMap((board) => board.trim() || []);
    call("getRoles", name.includes("@") ? { email: name } : { uid: name }).then(
      ({ roles: [found] }) => {
        if (found?.verified === false && name.includes("@") && role !== "none")
          setProblem(
            `The address is not verified, so it may be a stranger's. If not, enter the uid ${found.uid ?? ""}.`,
          );
        else if (found !== undefined) onAsk(found, { role, ...(list.length > 0 && { boards: list }) });
      },
      (error: unknown) => setProblem(asError(error).message),
    );
  };
  return (
    <Card id="grant" title="Grant or revoke">
      <form class="form" onSubmit={submit}>
        <label class="field">
          <span class="field-name">E-mail address or uid</span>
          <input
            class="input"
            autocomplete="off"
            required
            value={account}
            onInput={({ currentTarget }) => setAccount(currentTarget.value)}
          />
          <span class="hint">Of a person, or of the service account that a server runs as.</span>
        </label>
        <label class="field">
          <span class="field-name">Role</span>
          <select
            class="input"
            value={role}
            onChange={({ currentTarget }) => setRole(choices[currentTarget.selectedIndex] ?? "none")}
          >
            {choices.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span class="field-name">Boards</span>
          <input
            class="input"
            autocomplete="off"
            placeholder="All"
            value={boards}
            onInput={({ currentTarget }) => setBoards(currentTarget.value)}
          />
          <span class="hint">Ids with commas between, if the role is not for all.</span>
        </label>
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

const columns: readonly TableColumn[] = [
  ["Service account", "", 30],
  ["Role", "", 10],
  ["Boards", "", 10],
  ["", "number", 6],
];

/** Cost: 1 read each time it is shown, and after each change. */
function Servers({ changes, onRevoke }: { changes: number; onRevoke: (account: RoleAnswer) => void }) {
  const list = usePromise(`${changes}`, async () => (await call("getRoles", {})).roles, { keepsLast: true });
  const found = valueOf(list);
  return (
    <Card id="servers" title="Servers" classes="card-flush">
      {list.state === "failed" && <Problem title="The servers cannot be shown" error={list.error} />}
      {found?.length === 0 && <Empty icon="shield" title="No server has a role" />}
      {(list.state === "loading" || (found !== undefined && found.length > 0)) && (
        <table class="table">
          <Head columns={columns} />
          <tbody>
            {list.state === "loading" && <LoadingRows columns={columns} rows={2} />}
            {found?.map((server) => (
              <tr key={server.email}>
                <td>{server.email}</td>
                <td>{server.role}</td>
                <td>{server.boards?.join(", ") ?? "all"}</td>
                <td class="number">
                  <button type="button" class="button" onClick={() => onRevoke(server)}>
                    Revoke …
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
