import { lowerFirst } from 'es-toolkit/string/lowerFirst'

/** Reads Prisma's model files and generates the TypeScript file that describes the tables at run time. */
export function tablesSource(models: string): string {
  const entries = [...models.matchAll(/^(?:model|view) (\w+) \{\n([\s\S]*?)^\}/gm)].map(([, name = '', body = '']) => {
    const known = new Set([...models.matchAll(/^(?:model|view) (\w+) \{/gm)].map((match) => match[1]))
    const columns = body.split('\n').flatMap((line) => columnSource(line, known))
    const table = /@@map\("(\w+)"\)/.exec(body)?.[1] ?? name
    return `  ${lowerFirst(name)}: {\n    table: '${table}',\n    columns: {\n${columns.join('')}    },\n  },\n`
  })
  return `// Made by scripts/generate.ts from prisma/models. Do not edit.\nexport const tables = {\n${entries.join('')}} as const\n`
}

function columnSource(line: string, models: ReadonlySet<string | undefined>): string[] {
  const match = /^ {2}(\w+)\s+(\w+)(\[\]|\?)?(.*)$/.exec(line)
  if (!match) return []
  const [, key = '', type = '', mark = '', attributes = ''] = match
  if (models.has(type)) return []
  const native = /@db\.(\w+)/.exec(attributes)?.[1] ?? type
  const facts = [
    `type: '${type}'`,
    `native: '${native}'`,
    `isRequired: ${mark !== '?'}`,
    `isList: ${mark === '[]'}`,
    `hasDefault: ${attributes.includes('@default(')}`,
  ]
  return [`      ${key}: { ${facts.join(', ')} },\n`]
}
