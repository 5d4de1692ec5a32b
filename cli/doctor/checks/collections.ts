/** Whether the owner has collections of the names that Firerank's exemptions and TTL policies hold for. */
import { parseIndexFile } from "../../init/index-file.ts";
import { ownFile } from "../../init/package.ts";
import { type Finding, NotChecked } from "../finding.ts";
import type { Check } from "../patient.ts";
import { outsideLeaderboards } from "../queries.ts";

export const collections: Check = {
  name: "collections",
  byHand:
    "look whether you have collections named players, scores, top, events, runs or standings of your own",
  async look({ db, isEnterprise }) {
    if (await isEnterprise())
      throw new NotChecked(
        "On the Enterprise edition there are no exemptions: nothing is indexed by itself.",
        { isAbsent: true },
      );
    const { fieldOverrides } = parseIndexFile(ownFile("firestore.indexes.json"));
    const losing = fieldOverrides.filter(({ indexes }) => indexes.length === 0);
    const names = [...new Set(losing.map(({ collectionGroup }) => collectionGroup))];
    const found = await Promise.all(
      names.map(async (name) => {
        const both = await Promise.all(outsideLeaderboards(db, name).map((query) => query.get()));
        return both.flatMap(({ docs }) => docs).at(0);
      }),
    );
    const findings: Finding[] = names.flatMap((name, i): Finding[] => {
      const document = found[i];
      if (document === undefined) return [];
      const fields = losing
        .filter(({ collectionGroup }) => collectionGroup === name)
        .map(({ fieldPath }) => fieldPath);
      const used = fields.filter((field) => document.get(field) !== undefined);
      const path = document.ref.parent.path;
      const todo = `If you query by one of them alone, add its index to the exemption in firestore.indexes.json, and npx firebase deploy --only firestore:indexes`;
      const isLosing = used.length > 0;
      const what = isLosing
        ? `has ${used.join(", ")}, which lost the automatic index as Firerank's ${name} has the same name.`
        : `has the name of one of Firerank's, so these fields have no index in it: ${fields.join(", ")}.`;
      return [
        {
          id: isLosing ? "collection-fields" : "collection-shared",
          what: `Your collection ${path} ${what}`,
          known: `The document ${document.ref.path}.`,
          todo,
        },
      ];
    });
    return { seen: `${names.length} names looked for`, findings };
  },
};
