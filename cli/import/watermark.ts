/** The progress of work that finishes out of order: everything before the mark is done. Pure. */
export interface Watermark {
  /** Adds a piece of work; pieces start in order. */
  begin(upTo: number): { end(): void };
  /** The mark: everything before it is done. */
  reached(): number;
}

export function createWatermark(from: number): Watermark {
  const pending: { upTo: number; isDone: boolean }[] = [];
  let mark = from;
  return {
    begin(upTo) {
      const piece = { upTo, isDone: false };
      pending.push(piece);
      return {
        end() {
          piece.isDone = true;
          for (let first = pending[0]; first?.isDone === true; first = pending[0]) {
            mark = first.upTo;
            pending.shift();
          }
        },
      };
    },
    reached: () => mark,
  };
}
