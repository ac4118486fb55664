import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { kebabCase } from 'es-toolkit'
import type * as Cssinjs from '@ant-design/cssinjs'
import type * as StaticStyles from '@ant-design/static-style-extract'
import type * as Antd from 'antd'
import type * as React from 'react'
import type { Plugin } from 'vite'

const require = createRequire(import.meta.url)
const name = 'virtual:antd.css'
const sources = new URL('../src/', import.meta.url).pathname
const parts = `${require.resolve('antd/package.json').slice(0, -'package.json'.length)}es/`

/**
 * Vite plugin: the styles of antd are written into a style sheet at the build, for the components the console draws and those they are
 * made of. The browser then makes no styles (`zeroRuntime` in the theme), and the code that would make them is left out: a tenth of
 * the processor time of a first list, and 40 kB of JavaScript (gzipped). The development server keeps antd's own way, which needs no build.
 */
export function antdStyles(): Plugin[] {
  return [
    {
      name: 'outpost-antd-styles',
      resolveId: (source) => (source === name ? name : null),
      load: (id) => (id === name ? (process.env.NODE_ENV === 'production' ? styleSheet() : '') : null),
    },
    {
      name: 'outpost-antd-style-code',
      enforce: 'pre',
      apply: 'build',
      transform: {
        filter: { id: /node_modules\/antd\/es\/[^/]+\/style\/[^/]+\.js$/ },
        handler(code) {
          return withoutStyleFunctions(code, this.parse(code))
        },
      },
    },
  ]
}

/** The style sheet of the used components, without their tokens: those are CSS variables that the theme writes at run time. */
function styleSheet(): string {
  const { createElement } = require('react') as typeof React
  const { createCache, extractStyle: textOf, StyleProvider } = require('@ant-design/cssinjs') as typeof Cssinjs
  const { extractStyle } = require('@ant-design/static-style-extract') as typeof StaticStyles
  const antd = require('antd') as typeof Antd
  const cache = createCache()
  const withTheme = (node: React.ReactNode) =>
    createElement(StyleProvider, { cache }, createElement(antd.ConfigProvider, { theme: { hashed: false } }, node))
  extractStyle({ includes: usedComponents(Object.keys(antd)), customTheme: withTheme as (node: React.JSX.Element) => React.JSX.Element })
  return withOwnLinksOnly(textOf(cache, { plain: true, types: ['style'] }))
}

/** antd's reset of links is for its own components, which a hash marks at run time; without the hash it would colour every link of the console. */
const withOwnLinksOnly = (css: string): string =>
  css
    .replaceAll(/(?<=^|[},])a(?=[{:[,])/g, 'a:where([class^="ant-"],[class*=" ant-"])')
    .replace(/\.data-ant-cssinjs-cache-path\{[^}]*\}/, '')

/** Names of antd's components that the console imports, and of those which they import themselves. */
function usedComponents(exported: readonly string[]): string[] {
  const byFolder = new Map(exported.map((component) => [kebabCase(component), component]))
  const folders = new Set(
    textsIn(sources, '**/*.{ts,tsx}').flatMap((text) =>
      [...text.matchAll(/import \{([^}]*)\} from 'antd'/g)].flatMap(([, names = '']) => (names.match(/\w+/g) ?? []).map(kebabCase)),
    ),
  )
  for (const folder of folders) {
    if (!byFolder.has(folder)) continue
    const imported = textsIn(`${parts}${folder}/`, '**/*.js').flatMap((text) => [...text.matchAll(/from ["'](?:\.\.\/)+([a-z-]+)/g)])
    for (const [, other = ''] of imported) if (other !== 'config-provider') folders.add(other)
  }
  return [...folders].flatMap((folder) => byFolder.get(folder) ?? [])
}

const textsIn = (folder: string, pattern: string): string[] =>
  globSync(pattern, { cwd: folder }).map((path) => readFileSync(`${folder}${path}`, 'utf8'))

interface Node {
  type: string
  start: number
  end: number
}

interface Call extends Node {
  type: 'CallExpression'
  callee: Node & { name?: string }
  arguments: Node[]
}

const isStyleHook = (node: Node): node is Call =>
  node.type === 'CallExpression' && /^gen(StyleHooks|SubStyleComponent|ComponentStyleHook)$/.test((node as Call).callee.name ?? '')

/** `genStyleHooks('Button', styles, tokens)` with `null` for the styles: what only they need is then shaken out of the build. */
function withoutStyleFunctions(code: string, program: unknown): string {
  const styles = styleHooksOf(program).flatMap((call) => call.arguments[1] ?? [])
  return styles
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end }) => `${text.slice(0, start)}null${text.slice(end)}`, code)
}

function styleHooksOf(value: unknown): Call[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(styleHooksOf)
  return 'type' in value && isStyleHook(value as Node) ? [value as Call, ...inner] : inner
}
