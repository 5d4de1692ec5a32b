/** `npm run pack`: makes both packages, and says where they are. */
import { relative } from "node:path";
import { packAll } from "./adopt/packages.ts";
import { workFolder } from "./project.ts";

for (const path of Object.values(await packAll(workFolder("packages"))))
  console.log(relative(process.cwd(), path));
