/** Who has which role, who granted it and when. Roles are granted and revoked here. */
import { useState } from "preact/hooks";
import type { Role } from "../../../functions/src/model/role.ts";
import type { RoleAnswer } from "../../../functions/src/operations/set-role.ts";
import { call } from "../data/calls.ts";
import { usePromise } from "../data/hooks.ts";
import { problemText } from "../errors.ts";
import { isAdmin, session } from "../firebase/session.ts";
import { WorkButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { AskButton, type Question, useConfirm } from "../parts/confirm.tsx";
import { SelectField, sending, TextField } from "../parts/fields.tsx";
import { tell } from "../parts/messages.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
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
    <div class="columns">
      <Listed changes={changes} onChanged={changed} />
      <Grant onAsk={(account, change) => ask(questionAbout(account, change, changed))} />
      {dialog}
    </div>
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
  const { start } = useWork((error) => setProblem(problemText(error)));
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
          <WorkButton type="submit" classes="button-primary">
            Look up …
          </WorkButton>
        </div>
      </form>
    </Card>
  );
}

const columns: readonly Column<RoleAnswer & { onChanged: () => void }>[] = [
  ["Account", (account) => <Account {...account} />, "role-account", 24, 20],
  [
    "Role",
    ({ role, boards }) => (
      <>
        {role}
        <span class="cell-note">{boards === undefined ? "all boards" : boards.join(", ")}</span>
      </>
    ),
    "role-name",
    9,
    9,
  ],
  [
    "Actions",
    ({ onChanged, ...account }) =>
      account.uid === session.value?.uid ? null : (
        <AskButton
          question={questionAbout(account, { role: "none" }, onChanged)}
          classes="button-small"
          label={`Revoke the role of ${account.email ?? account.uid} …`}
        >
          Revoke …
        </AskButton>
      ),
    "number",
    6,
  ],
];

function Account({ uid, email, verified, granted_by: by, granted_at: at }: RoleAnswer) {
  return (
    <>
      <span class="role-who">
        <span class="cut" title={[email, uid].filter(Boolean).join(", ")}>
          {email ?? uid}
        </span>
        {uid === undefined && <span class="chip chip-plain">server</span>}
        {uid !== undefined && uid === session.value?.uid && <span class="chip chip-plain">you</span>}
        {verified === false && <span class="chip chip-warn">not verified</span>}
      </span>
      <span class="cell-note">
        {at === undefined ? (
          "not granted here"
        ) : (
          <>
            granted <Ago ms={Date.parse(at)} />
          </>
        )}
        {by !== undefined && ` by ${by === "firerank-cli" ? "the command line" : by}`}
      </span>
    </>
  );
}

/** Cost: 1 read each time it is shown, and after each change. */
function Listed({ changes, onChanged }: { changes: number; onChanged: () => void }) {
  const list = usePromise(`${changes}`, async () => (await call("getRoles", {})).roles);
  return (
    <Card id="listed" title="Who has a role" classes="card-flush">
      {list.state === "failed" ? (
        <Problem title="The list cannot be shown" error={list.error} />
      ) : valueOf(list)?.length === 0 ? (
        <Empty icon="shield" title="Nobody has a role" />
      ) : (
        <Table columns={columns} classes="roles" loading={list.state === "loading" && 3}>
          {valueOf(list)?.map((account) => (
            <tr key={account.uid ?? account.email}>
              <Cells columns={columns} row={{ ...account, onChanged }} />
            </tr>
          ))}
        </Table>
      )}
      <p class="hint card-foot">Roles that your own code sets in custom claims are not listed.</p>
    </Card>
  );
}
