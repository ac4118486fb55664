import type { ConsoleLayout } from '@outpost/contract/console'
import { Copyright } from '../Copyright.tsx'
import { t } from '../../session/labels.ts'

/** Copyright line, version and build id. */
export function Footer({ layout }: { layout: Pick<ConsoleLayout, 'version' | 'build'> }) {
  return (
    <footer className="o-foot">
      <Copyright />
      <span>{t('Version {{version}} · Build {{build}}', { version: layout.version, build: layout.build })}</span>
    </footer>
  )
}
