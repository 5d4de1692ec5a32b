/** A number with its noun: `1 second`, `2,399 players`. */
export const many = (number: number, noun: string) =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
