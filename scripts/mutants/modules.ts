/** The pure modules of the functions that are mutated, those first whose mistakes would make a rank wrong. */
export const modules = [
  "ranking/{fold,merge,rows,split,pack-pages,publication,shard-sums,shard-documents,id-between,sources}.ts",
  "ranking/{count,ask-counts,intervals,thresholds,pool}.ts",
  "reading/{lookup,rank,page-memory,standings-lookup}.ts",
  "reading/lists/narrowing.ts",
  "documents/{page,page-bounds,player,ranked-score,season,top,paths}.ts",
  "model/{calendar,columns,definition,display-name,document-id,document-size,errors,id-order,ids,instant,keys,season-id}.ts",
  "model/{metadata,prices,schema-version,score,shard,slot}.ts",
  "indexing/{plan,changed-player}.ts",
  "submit/{apply,merge,once,schema}.ts",
  "top/{build-top,gate,pace,shown-change,tell-top}.ts",
  "repair/{id-ranges,check-pages}.ts",
  "closing/{pack-standings,revise-sums}.ts",
  "seasons/{open-now,stretch}.ts",
];
