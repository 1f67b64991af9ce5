/** Returns the URL of the chat widget script that the operator configured. The server adds it to the page. */
export function chatWidgetUrl(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="chat-widget"]')?.content;
}
