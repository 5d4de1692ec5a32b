/** A module with a function of each kind that Firerank has, and nothing of its own. */
export const bareModule = `
import { onCall } from "firebase-functions/https";
import { onDocumentWritten } from "firebase-functions/firestore";
import { onSchedule } from "firebase-functions/scheduler";
import { onTaskDispatched } from "firebase-functions/tasks";
import { defineInt } from "firebase-functions/params";
import "firebase-functions/logger";
import "firebase-admin/app";
import "firebase-admin/firestore";
import "firebase-admin/functions";
defineInt("MEMORY", { default: 512 });
const nothing = () => undefined;
onCall(nothing);
onDocumentWritten("players/{player}", nothing);
onSchedule("* * * * *", nothing);
onTaskDispatched(nothing);
`;
