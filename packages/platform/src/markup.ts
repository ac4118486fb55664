const signs: ReadonlyMap<string, string> = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }))

/** Escapes a text for HTML and XML, between tags and inside attributes. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, (sign) => signs.get(sign) ?? sign)
