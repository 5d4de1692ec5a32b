/** Placeholders: for content that is loading, missing, or failed to load. */
import type { ComponentChildren } from "preact";
import type { Loaded } from "../data/read.ts";
import { codeOf, problemText } from "../errors.ts";
import { Icon, type IconName } from "./icon.tsx";

/** A grey line instead of a loading text; `width` in characters. */
export function Skeleton({ width = 8 }: { width?: number }) {
  return <span class="skeleton" style={{ width: `${width}ch` }} aria-hidden="true" />;
}

/** Grey lines instead of a table's rows. */
export function LoadingRows({ rows }: { rows: number }) {
  return (
    <div class="loading-rows" aria-hidden="true">
      {Array.from({ length: rows }, (_, i) => (
        <Skeleton key={i} width={40} />
      ))}
    </div>
  );
}

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}

export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} size={22} />
      </span>
      <p class="empty-title">{title}</p>
      {children !== undefined && <div class="empty-text">{children}</div>}
    </div>
  );
}

/** Why one part of a view is missing, in one line. */
export function Notice({ role, children }: { role?: "status"; children: ComponentChildren }) {
  return (
    <p class="notice" role={role}>
      <Icon name="alert" />
      <span>{children}</span>
    </p>
  );
}

interface BoxProps {
  title: string;
  role?: "alert";
  /** More classes. */
  classes?: string;
  /** At its end, such as a button. */
  beside?: ComponentChildren;
  children: ComponentChildren;
}

/** A box about something bad. */
export function BadBox({ title, role, classes = "", beside, children }: BoxProps) {
  return (
    <div class={`notice notice-bad ${classes}`} role={role}>
      <Icon name="alert" />
      <div>
        <p class="notice-title">{title}</p>
        {children}
      </div>
      {beside}
    </div>
  );
}

/** What went wrong, in a box of its own. */
export function Problem({ title, error }: { title: string; error: Error }) {
  return (
    <BadBox title={title} role="alert">
      <p>
        {problemText(error)}
        {codeOf(error) === "unavailable" && " This page continues when it can."}
      </p>
    </BadBox>
  );
}

/** How far something has come; without an end while `total` is 0. */
export function Progress({ done, total, label }: { done: number; total: number; label: string }) {
  const value = total === 0 ? undefined : done;
  return <progress class="progress" value={value} max={Math.max(1, total)} aria-label={label} />;
}

export function valueOf<T>(loaded: Loaded<T>): T | undefined {
  return loaded.state === "ready" ? loaded.value : undefined;
}
