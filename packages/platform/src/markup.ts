const signs: ReadonlyMap<string, string> = new Map(Object.entries({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }))

/** A text as it stands between or inside the tags of HTML and XML. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, (sign) => signs.get(sign) ?? sign)
