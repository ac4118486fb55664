import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const page = (text: string, link: string) => ({ text, link })

/** The site of docs/: every page is also readable as it lies there. A link that leads nowhere fails the build. */
export default defineConfig({
  title: 'Outpost',
  description: 'For operators, integrators and people in the field',
  lang: 'en',
  cleanUrls: true,
  cacheDir: fileURLToPath(new URL('../../node_modules/.cache/docs', import.meta.url)),
  srcExclude: ['**/node_modules/**'],
  ignoreDeadLinks: false,
  themeConfig: {
    search: { provider: 'local' },
    nav: [page('Operators', '/operators/run'), page('Integrators', '/integrators/api'), page('In the field', '/field/start')],
    sidebar: [
      {
        text: 'Operators',
        items: [
          page('Run it', '/operators/run'),
          page('Secrets and their rotation', '/operators/secrets'),
          page('Backups', '/operators/backups'),
          page('Seen from outside', '/operators/health'),
        ],
      },
      {
        text: 'Integrators',
        items: [page('The API', '/integrators/api'), page('Webhooks', '/integrators/webhooks'), page('Money', '/integrators/money')],
      },
      { text: 'In the field', items: [page('The first day', '/field/start'), page('Without a network', '/field/offline')] },
      {
        text: 'How to add',
        items: [
          page('a country pack', '/adding/country-pack'),
          page('a provider', '/adding/provider'),
          page('a protocol of trackers', '/adding/protocol'),
          page('a theme', '/adding/theme'),
        ],
      },
      { text: 'Reference', items: [page('Words', '/words'), page('Differences from the specification', '/differences')] },
    ],
  },
})
