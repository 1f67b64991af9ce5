/** Returns the URL of the chat widget script that the operator configured, which the server adds to the page. */
export function chatWidgetUrl(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="chat-widget"]')?.content;
}
