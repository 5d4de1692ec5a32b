/** The pure modules of the functions that are mutated, those first whose mistakes would make a rank wrong. */
export const modules = [
  "ranking/{fold,merge,rows,split,check-sum,pack-pages,publication,shard-sums,shard-documents,shards-from,pool}.ts",
  "reading/{lookup,rank,page-memory,top-answer}.ts",
  "reading/lists/{cursor,entries,narrowing}.ts",
  "documents/{page,page-bounds,player,mark,ranked-score,season,shard,top,paths}.ts",
  "model/{calendar,columns,definition,display-name,document-id,document-size,errors,id-order,ids,instant,keys,season-id}.ts",
  "model/{function-name,hash,metadata,node-version,schema-version,score,search,slot}.ts",
  "counting/{changes,changed-player,own-shards}.ts",
  "submit/{apply,merge,schema}.ts",
  "top/{build-top,gate,pace,shown-change,tell-top}.ts",
  "repair/{id-ranges,check-pages}.ts",
  "standings/{lookup,pack,revise-sums}.ts",
  "seasons/{open-now,stretch}.ts",
  "operations/season-shown.ts",
  "transports/{app-check,deployed-name}.ts",
  "world/retryable.ts",
];
