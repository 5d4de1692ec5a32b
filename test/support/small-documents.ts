/**
 * Limits under which a small season has several documents and pages, for a test file's mock of limits.ts. closing.test.ts
 * closes and revises a season with the limits as they are.
 */
export const smallDocuments = { standingsPerDocument: 100, onePageRowsMax: 25, rowsPerPageMax: 25 };
