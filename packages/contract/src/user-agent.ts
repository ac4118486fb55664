const browsers: [name: string, sign: RegExp][] = [
  ['Edge', /\bEdg\w*\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /SamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /(Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
]
const systems: [name: string, sign: RegExp][] = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
]

/** The browser and the system that a user agent names: enough for people to tell their own devices apart. */
export function readUserAgent(userAgent: string | null): { browser: string | undefined; system: string | undefined } {
  const find = (list: [string, RegExp][]): string | undefined => list.find(([, sign]) => sign.test(userAgent ?? ''))?.[0]
  return { browser: find(browsers), system: find(systems) }
}
