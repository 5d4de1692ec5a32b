/**
 * A screen's frame: its heading, which gets the focus when the reader comes from another screen, and the tab's title.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { definitionId, isOfTemplate } from "../../../functions/src/model/template.ts";

let screensShown = 0;

export interface Crumb {
  href: string;
  name: string;
}

/** The way to a board: over its template, if it has one. */
export function crumbsOf(board: string): Crumb[] {
  const template = definitionId(board);
  return [
    { href: "/boards", name: "Leaderboards" },
    ...(isOfTemplate(board) ? [{ href: `/boards/${template}`, name: template }] : []),
  ];
}

interface ScreenProps {
  title: string;
  /** The title of the browser's tab, if it is more than the heading. */
  tabTitle?: string;
  crumbs?: readonly Crumb[];
  /** Beside the heading: chips. */
  about?: ComponentChildren;
  /** At the end of the heading's line: buttons. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Screen({ title, tabTitle = title, crumbs = [], about, actions, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (screensShown++ > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${tabTitle} · Firerank`;
  }, [tabTitle]);
  return (
    <div class="screen">
      {crumbs.length > 0 && (
        <nav class="crumbs" aria-label="Breadcrumb">
          {crumbs.map(({ href, name }, i) => (
            <span key={href}>
              {i > 0 && <span aria-hidden="true"> / </span>}
              <a href={href}>{name}</a>
            </span>
          ))}
        </nav>
      )}
      <div class="screen-head">
        <div class="screen-title">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {about}
        </div>
        {actions !== undefined && <div class="screen-actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
