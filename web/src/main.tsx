/** Starts the dashboard: connects to Firebase, then draws. */
import "./no-eval.ts";
import "./styles/main.css";
import "./parts/going-back.ts";
import { render } from "preact";
import { App, loadPage } from "./app.tsx";
import { firstData } from "./data/hooks.ts";
import { connect } from "./firebase/connect.ts";
import { watchSession } from "./firebase/session.ts";
import { reloadForMissingParts } from "./reload.ts";
import { NotServed } from "./views/not-found.tsx";
import { applyFont } from "./font.ts";
import { applyTheme } from "./theme.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no #app");
applyTheme();
applyFont(firstData);
reloadForMissingParts();
loadPage(location.pathname);
connect()
  .then(watchSession)
  .then(
    () => render(<App />, root),
    (error: unknown) => render(<NotServed error={error} />, root),
  );
