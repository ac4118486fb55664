import { Alert, Button } from 'antd'
import { t } from '../../../../session/labels.ts'

/** Says that the address names a view which is not there for the caller, and that the whole list is in its place. */
export const MissingView = ({ title, onAll }: { title: string; onAll: () => void }) => (
  <Alert
    className="list-note"
    type="warning"
    showIcon
    role="status"
    title={t('The view of this address is not shared with you, or it was deleted.')}
    description={`${t('What you see is the whole list')}: ${t(title)}. ${t('Ask who sent it to share the view, or to use “Copy link”, which carries the filter.')}`}
    action={
      <Button size="small" onClick={onAll}>
        {t('Go on with the whole list')}
      </Button>
    }
  />
)
