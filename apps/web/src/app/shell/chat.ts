/** The script of the chat widget that the operator has configured: the server names it in the page. */
export function chatWidgetUrl(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[name="chat-widget"]')?.content;
}
