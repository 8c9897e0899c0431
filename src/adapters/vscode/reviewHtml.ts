import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

export function reviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableCommandUris: false,
    localResourceRoots: [vscode.Uri.joinPath(extensionUri, "dist/webview")],
  };
}

/** The page around the webview bundle: nothing from elsewhere, nothing inline, one script with a nonce. */
export function reviewHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString("base64");
  const file = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist/webview", name)).toString();
  const csp = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
    `script-src 'nonce-${nonce}'`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Edit Review</title>
<link rel="stylesheet" href="${file("main.css")}">
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${file("main.js")}"></script>
</body>
</html>`;
}
