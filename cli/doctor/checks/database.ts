/** Whether the project has the database, and of the right kind. */
import type { Check } from "../patient.ts";

export const database: Check = {
  name: "database",
  byHand: "Firebase console, Firestore: the list of databases is above the data",
  async look({ storedDatabase, project, database: name }) {
    const found = await storedDatabase();
    if (found === undefined) {
      const what = `Project ${project} has no database ${name}.`;
      const todo = `gcloud firestore databases list --project ${project}; then name one with --database, or create it in the Firebase console, Firestore`;
      return {
        seen: "",
        findings: [{ id: "database-missing", what, known: "Firestore's list of databases.", todo }],
      };
    }
    const { locationId, type, databaseEdition = "STANDARD" } = found;
    if (type === "DATASTORE_MODE") {
      const what = `The database ${name} is in Datastore mode, which has no triggers and no rules.`;
      const todo =
        "Create another database in the Firebase console, Firestore, and deploy with DATABASE set to it.";
      return { seen: "", findings: [{ id: "database-mode", what, known: "Firestore says so.", todo }] };
    }
    return { seen: `${name} in ${locationId}, ${databaseEdition.toLowerCase()} edition`, findings: [] };
  },
};
