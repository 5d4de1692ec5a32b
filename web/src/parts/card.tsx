/** A card: a heading with what stands beside it, and the rest below. */
import type { ComponentChildren } from "preact";

interface Props {
  /** Begins the id of its heading, which names it for screen readers. */
  id: string;
  title: ComponentChildren;
  /** In the line of the heading. */
  beside?: ComponentChildren;
  /** More classes, such as `card-flush` for a card whose content reaches its edges. */
  classes?: string;
  children: ComponentChildren;
}

export function Card({ id, title, beside, classes = "", children }: Props) {
  return (
    <section class={`card ${classes}`} aria-labelledby={`${id}-heading`}>
      <div class="card-head">
        <h2 id={`${id}-heading`}>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}
