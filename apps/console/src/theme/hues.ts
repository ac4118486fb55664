/** The colours of a status or kind of work, by the names the server sends; each is the same in tags, boards and drawings. */
export const hueNames = [
  'blue',
  'geekblue',
  'cyan',
  'teal',
  'purple',
  'magenta',
  'red',
  'volcano',
  'orange',
  'gold',
  'lime',
  'green',
  'grey',
] as const
export type Hue = (typeof hueNames)[number]

const aliases: Record<string, Hue> = {
  success: 'green',
  good: 'green',
  error: 'red',
  danger: 'red',
  bad: 'red',
  warning: 'gold',
  warn: 'gold',
  yellow: 'gold',
  processing: 'blue',
  info: 'blue',
}

/** The hue of a colour's name; grey for "default" and unknown names. */
export function hueOf(colour: string | null | undefined): Hue {
  const name = colour?.toLowerCase() ?? ''
  return hueNames.find((hue) => hue === name) ?? aliases[name] ?? 'grey'
}

/** The class that sets --hue for its content. */
export const hueClass = (colour: string | null | undefined): string => `hue hue-${hueOf(colour)}`
