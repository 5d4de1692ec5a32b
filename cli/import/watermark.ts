/** How far work has come that ends out of order: everything before the mark is done. Pure. */
export interface Watermark {
  /** Notes a further piece of work; the pieces are begun in order. */
  begin(upTo: number): { end(): void };
  /** Up to where everything has ended. */
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
