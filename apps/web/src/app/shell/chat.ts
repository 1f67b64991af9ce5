/** Returns the URL of the chat widget script. The operator configures the URL, and the server adds it to the page. */
export function chatWidgetUrl(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="chat-widget"]')?.content;
}
