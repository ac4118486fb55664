import { defaultRoles } from '@outpost/rules/people/company-defaults'
import type { AreaNames } from './names.ts'
import { permissionsOf, type RemoteVerb } from './remote.ts'

/** Inserts a line before a marker in a text; throws when the marker is missing. */
export function before(text: string, place: string, line: string): string {
  if (!text.includes(place)) throw new Error(`There is no line "${place.trim()}" to put a new area before: has the file changed?`)
  return text.replace(place, () => `${line}${place}`)
}

/** The existing files that name a new area, by path, with their new contents. */
export const places: Readonly<Record<string, (text: string, words: AreaNames) => string>> = {
  'apps/server/src/areas/index.ts': (text, { area, name, kind }) =>
    before(
      before(text, '\n/** The areas of the business', `import { ${name}Area } from './${area}/index.ts'\n`),
      '  ]\n}\n\ntype Parts',
      `    ${name}Area${kind === 'remote' ? '(machine)' : ''},\n`,
    ),
  'prisma/seed/company.ts': (text, { area, models, table, kind }) => {
    if (kind === 'remote') return text
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
function matrixOf({ area, permission, to, kind, calls }: AreaNames): Record<string, string> {
  const who = (...asked: string[]) =>
    defaultRoles('company')
      .filter(({ permissions }) => permissions.some((one) => asked.includes(one)))
      .map(({ systemRole }) => systemRole)
      .join(' ')
  const path = `/api/${area}`
  if (kind === 'remote') {
    const open = (verb: RemoteVerb) => who(...permissionsOf(calls, verb))
    return {
      [`GET ${path}`]: open('list'),
      [`GET ${path}/:id`]: open('get'),
      [`POST ${path}`]: open('create'),
      [`PUT ${path}/:id`]: open('update'),
      [`DELETE ${path}/:id`]: open('remove'),
    }
  }
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
    ...(kind === 'board'
      ? {
          [`POST ${path}/:id/move`]: who(to('EDIT')),
          [`POST ${path}/move`]: who(to('EDIT')),
          ...Object.fromEntries(['GET', 'POST'].map((method) => [`${method} ${path}/statuses/manage`, who('ADMIN/SETTINGS')])),
          [`GET ${path}/statuses/manage/:id`]: who('ADMIN/SETTINGS'),
          [`PUT ${path}/statuses/manage/:id`]: who('ADMIN/SETTINGS'),
          [`POST ${path}/statuses/manage/delete`]: who('ADMIN/SETTINGS'),
        }
      : {}),
    ...(kind === 'approval' ? { [`POST ${path}/:id/move`]: who(to('EDIT')), [`POST ${path}/move`]: who(to('EDIT')) } : {}),
  }
}
