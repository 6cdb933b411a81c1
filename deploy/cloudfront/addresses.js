// A CloudFront function on viewer requests: a bucket knows no index documents, so that a folder's address is led to the page in it.
/* oxlint-disable no-unused-vars -- CloudFront calls it by its name */
function handler(event) {
  const request = event.request;
  if (request.uri.endsWith("/")) request.uri += "index.html";
  else if (!request.uri.split("/").pop().includes(".")) request.uri += "/index.html";
  return request;
}
