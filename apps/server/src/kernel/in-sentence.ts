/** A label as it reads inside a sentence: in lower case, but for abbreviations and names with capitals of their own ("IP address", "OAuth clients"). */
export const inSentence = (label: string): string =>
  label.replace(/\S+/g, (word) => (/[A-Z].*[A-Z]/.test(word) ? word : word.toLowerCase()))
