import { Link } from '@tanstack/react-router'
import type { PanelView } from '@outpost/contract/views'
import { t } from '../../../session/labels.ts'
import { merged, type Address } from '../../address.ts'

/** The parts of a record as links, the open one marked by the router: each has an address of its own, and a narrow screen scrolls them sideways. */
export function PanelNav({ panels }: { panels: readonly PanelView[] }) {
  const parts = [{ key: undefined, title: t('Details') }, ...panels]
  return (
    <nav className="panel-nav" aria-label={t('Parts of this record')}>
      <ul>
        {parts.map(({ key, title }) => (
          <li key={key ?? ''}>
            <Link
              to="."
              search={((before: Address) => merged(before, { tab: key })) as never}
              resetScroll={false}
              activeOptions={{ exact: true, includeSearch: true }}
            >
              {t(title)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
