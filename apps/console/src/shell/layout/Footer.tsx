import type { ConsoleFrame } from '@outpost/contract/console'
import { Copyright } from '../Copyright.tsx'
import { t } from '../../session/labels.ts'

/** Copyright line, version and build id. */
export function Footer({ frame }: { frame: Pick<ConsoleFrame, 'version' | 'build'> }) {
  return (
    <footer className="o-foot">
      <Copyright />
      <span>{t('Version {{version}} · Build {{build}}', { version: frame.version, build: frame.build })}</span>
    </footer>
  )
}
