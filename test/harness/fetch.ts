// Brings the editor and the browser that the other scripts drive, which would fetch them on their first use.
import { launchBrowser } from "./browser.ts";
import { ensureEditor } from "./install.ts";

await ensureEditor();
const browser = await launchBrowser();
await browser.close();
