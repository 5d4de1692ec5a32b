/**
 * Keeps Zod from trying whether it may compile code at run time, which the Content-Security-Policy would refuse and
 * report. To be imported before any schema.
 */
import { z } from "zod";

z.config({ jitless: true });
