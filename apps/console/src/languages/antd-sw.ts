import type { Locale } from 'antd/es/locale'
import enGB from 'antd/es/locale/en_GB'

/** What antd's controls say in Swahili, which antd does not bring; the rest stays English. */
export const swahili: Locale = {
  ...enGB,
  locale: 'sw',
  Pagination: {
    ...enGB.Pagination,
    items_per_page: '/ ukurasa',
    jump_to: 'Nenda',
    page: 'Ukurasa',
    prev_page: 'Ukurasa uliopita',
    next_page: 'Ukurasa unaofuata',
  },
  Table: {
    ...enGB.Table,
    filterReset: 'Ondoa',
    filterConfirm: 'Sawa',
    emptyText: 'Hakuna data',
    selectAll: 'Chagua ukurasa huu',
    selectNone: 'Ondoa uchaguzi',
    sortTitle: 'Panga',
    triggerDesc: 'Bofya kupanga kushuka',
    triggerAsc: 'Bofya kupanga kupanda',
    cancelSort: 'Bofya kuacha kupanga',
  },
  Modal: { okText: 'Sawa', cancelText: 'Ghairi', justOkText: 'Sawa' },
  Popconfirm: { okText: 'Sawa', cancelText: 'Ghairi' },
  Empty: { description: 'Hakuna data' },
  Upload: {
    uploading: 'Inapakia...',
    removeFile: 'Ondoa faili',
    uploadError: 'Imeshindwa kupakia',
    previewFile: 'Angalia faili',
    downloadFile: 'Pakua faili',
  },
}
