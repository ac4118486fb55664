/**
 * The end-to-end tests in parts that run side by side, each with an Outpost of its own, and take about as long: the walk over every screen,
 * the work in the field, and all others. Names of files in tests/e2e.
 */
const named = {
  walk: ['screens', 'screens-officer', 'screens-late'],
  field: [
    'activities',
    'agents',
    'calculators',
    'day',
    'field',
    'field-application',
    'field-form',
    'field-made',
    'field-plan',
    'field-sheet',
    'field-tours',
    'figures',
    'heading',
    'journey',
    'new-version',
    'passkeys',
    'photo',
    'plans',
    'shell',
    'teams',
    'three-days',
    'work',
  ],
} as const

export const journeyParts = ['walk', 'field', 'e2e'] as const
export type JourneyPart = (typeof journeyParts)[number]

const fileOf = (name: string): string => `tests/e2e/${name}.test.ts`

/** What vitest's project of this part includes and leaves out. */
export function filesOf(part: JourneyPart): { include: string[]; exclude: string[] } {
  if (part === 'e2e') return { include: ['tests/e2e/**/*.test.ts'], exclude: Object.values(named).flat().map(fileOf) }
  return { include: named[part].map(fileOf), exclude: [] }
}

/** The part that a file belongs to, by its path from the root. */
export function partOf(file: string): JourneyPart {
  return journeyParts.find((part) => filesOf(part).include.includes(file)) ?? 'e2e'
}
