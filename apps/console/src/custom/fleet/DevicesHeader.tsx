import { Link } from '@tanstack/react-router'
import { Input } from 'antd'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'

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
        <Input.Search
          className="fleet-search"
          allowClear
          aria-label={t('Search')}
          placeholder={placeholder}
          defaultValue={textOf(address.search) ?? ''}
          onSearch={(text) => patch({ search: text || undefined })}
        />
        <Link to="/tracking/devices">{t('All devices')}</Link>
      </div>
    </header>
  )
}
