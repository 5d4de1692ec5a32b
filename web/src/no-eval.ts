/** Keeps Zod from trying to compile code, which the Content-Security-Policy reports. Comes before any schema. */
import { z } from "zod";

z.config({ jitless: true });
