// A CloudFront function on viewer requests: a bucket knows no index documents, so that a folder's address is led to the page in it.
// The address of a dated page that has left the site leads to the current page.
// yours: archive.days of almanac.config.ts, or 0 if it is not set
const days = 0;
/** A page's period ends at most eight days after the day that is compared, in any time zone. */
const marginDays = 8;
const dated = /^(.*\/(?:daily|weekly|monthly|yearly)\/[a-z]+\/)(\d{4}(?:-\d\d){0,2})(?:\/|$)/;

function hasLeft(key) {
  const last = Date.parse(key + "-12-28".slice(key.length - 4));
  return last < Date.now() - (days + marginDays) * 86400000;
}

/* oxlint-disable no-unused-vars -- CloudFront calls it by its name */
function handler(event) {
  const request = event.request;
  const found = days > 0 ? dated.exec(request.uri) : null;
  if (found !== null && hasLeft(found[2]))
    return { statusCode: 302, statusDescription: "Found", headers: { location: { value: found[1] } } };
  if (request.uri.endsWith("/")) request.uri += "index.html";
  else if (!request.uri.split("/").pop().includes(".")) request.uri += "/index.html";
  return request;
}
