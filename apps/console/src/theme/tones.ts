/** The meaning of a colour; every meaning has its colours in all themes, so that contrast is sufficient. */
export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'odd' | 'quiet'

const tones: Record<string, Tone> = {
  green: 'good',
  success: 'good',
  good: 'good',
  lime: 'good',
  red: 'bad',
  error: 'bad',
  danger: 'bad',
  bad: 'bad',
  volcano: 'bad',
  magenta: 'bad',
  orange: 'warn',
  gold: 'warn',
  yellow: 'warn',
  warning: 'warn',
  warn: 'warn',
  blue: 'info',
  processing: 'info',
  info: 'info',
  cyan: 'info',
  geekblue: 'info',
  purple: 'info',
  teal: 'info',
}

/** The tone of a colour's name as the server sends it (antd's names of tag colours); quiet for unknown names. */
export const toneOf = (colour: string | null | undefined): Tone => tones[colour?.toLowerCase() ?? ''] ?? 'quiet'
