/**
 * Keeps Zod from testing whether it may compile code at run time: the Content-Security-Policy would refuse and report
 * that. Must be imported before any schema.
 */
import { z } from "zod";

z.config({ jitless: true });
