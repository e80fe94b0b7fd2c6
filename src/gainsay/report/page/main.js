// Which page it is, is said by the data.
import { showTrace } from './trace_page.js';
import { showComparison } from './compare_page.js';
import { showHistories } from './history_page.js';
import { showSteering } from './steer_page.js';
import { showCampaign } from './campaign_page.js';
import { showSpace } from './space_page.js';

const pages = { trace: showTrace, compare: showComparison, history: showHistories, steer: showSteering,
  campaign: showCampaign, space: showSpace };
const data = JSON.parse(document.getElementById('data').textContent);
pages[data.kind](data);
document.documentElement.dataset.ready = 'yes';
