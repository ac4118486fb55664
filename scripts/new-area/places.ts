import { defaultRoles } from '@outpost/rules/people/company-defaults'
import type { AreaNames } from './names.ts'

/** Inserts a line before a marker in a text; throws when the marker is missing. */
export function before(text: string, place: string, line: string): string {
  if (!text.includes(place)) throw new Error(`There is no line "${place.trim()}" to put a new area before: has the file changed?`)
  return text.replace(place, () => `${line}${place}`)
}

/** The existing files that name a new area, by path, with their new contents. */
export const places: Readonly<Record<string, (text: string, words: AreaNames) => string>> = {
  'apps/server/src/areas/index.ts': (text, { area, name }) =>
    before(
      before(text, '\n/** The areas of the business', `import { ${name}Area } from './${area}/index.ts'\n`),
      '  ]\n  const all = [',
      `    ${name}Area,\n`,
    ),
  'prisma/seed/company.ts': (text, { area, models, table }) => {
    const make = `company${models}`
    return before(
      before(text, '\nexport interface Staffing', `import { ${make} } from './${area}.ts'\n`),
      `    ['rule_set', companyRules(`,
      `    ['${table}', ${make}({ company, users, now })],\n`,
    )
  },
  'tests/security/matrix.json': (text, words) => `${JSON.stringify({ ...(JSON.parse(text) as object), ...matrixOf(words) }, null, 1)}\n`,
}

/** The roles that may make the calls, by a new company's defaults. */
function matrixOf({ area, permission, to, kind }: AreaNames): Record<string, string> {
  const who = (asked: string) =>
    defaultRoles('company')
      .filter(({ permissions }) => permissions.some((one) => one === asked))
      .map(({ systemRole }) => systemRole)
      .join(' ')
  const path = `/api/${area}`
  return {
    [`GET ${path}`]: who(permission),
    [`GET ${path}/:id`]: who(permission),
    [`GET ${path}/:id/timeline`]: who(permission),
    [`POST ${path}/:id/comments`]: who(permission),
    [`POST ${path}`]: who(to('CREATE')),
    [`POST ${path}/delete`]: who(to('DELETE')),
    [`POST ${path}/restore`]: who(to('DELETE')),
    [`PUT ${path}/:id`]: who(to('EDIT')),
    ...(kind === 'public' ? { [`POST ${path}/:id/link`]: who(to('EDIT')) } : {}),
  }
}
