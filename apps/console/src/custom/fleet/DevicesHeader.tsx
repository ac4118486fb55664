import { Link } from '@tanstack/react-router'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { SearchBox } from '../../view/SearchBox.tsx'

interface DevicesHeaderProps {
  title: string
  /** How many are shown; '' until that is known. */
  count: string
  /** What the search looks at. */
  placeholder: string
}

/** The head of a screen about devices: its name, how many there are, a search that the address holds, and the way to all of them. */
export function DevicesHeader({ title, count, placeholder }: DevicesHeaderProps) {
  const { address, patch } = useAddress()
  return (
    <header className="view-header">
      <div className="view-header-title">
        <h1 tabIndex={-1}>{title}</h1>
        <span className="view-count" role="status">
          {count}
        </span>
      </div>
      <div className="view-header-actions">
        <SearchBox
          className="fleet-search"
          value={textOf(address.search) ?? ''}
          label={t('Search')}
          placeholder={placeholder}
          onSearch={(text) => patch({ search: text || undefined })}
        />
        <Link to="/tracking/devices">{t('All devices')}</Link>
      </div>
    </header>
  )
}
