// Offers the device's own way to share a page, where it has one.
{
  const button = document.currentScript.previousElementSibling;
  if (navigator.share) {
    button.hidden = false;
    button.addEventListener("click", () => {
      navigator.share({ title: document.title, url: location.href }).catch(() => undefined);
    });
  }
}
