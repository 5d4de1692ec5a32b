/** The common props of all parts of a season's page. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Season } from "../../../functions/src/documents/season.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";

/** The season is missing until the first score opens it. */
export interface SeasonProps {
  seasonKey: SeasonKey;
  definition: Definition | undefined;
  season: Season | undefined;
}
